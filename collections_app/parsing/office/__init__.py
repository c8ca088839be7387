"""What files of office programs have in common: a zip file of parts in XML, their properties, formulas, numbers and notes."""
