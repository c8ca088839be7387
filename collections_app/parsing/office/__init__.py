"""What Office's files have in common (ECMA-376): a zip file of parts in XML, their properties and formulas."""
