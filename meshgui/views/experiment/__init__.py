"""The experiment window: fields varied, runs made, curves and tables of the results."""
