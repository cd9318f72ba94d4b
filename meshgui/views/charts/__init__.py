"""The live plots, and the painter of all other charts."""
