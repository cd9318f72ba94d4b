"""The panels beside the mesh: pseudo-code, the sentence of a step, the queue, the selected job."""
