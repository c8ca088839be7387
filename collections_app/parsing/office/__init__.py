"""What office file formats share: a zip file of XML parts, their properties, formulas, numbers and notes."""
