"""The live plots, and the painter of result charts."""
