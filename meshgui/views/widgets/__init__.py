"""Small widgets that every feature is built from: labels, tables, lists, error lines, notices."""
