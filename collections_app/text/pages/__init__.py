"""What a page as a whole is: an introduction, one that has moved, one that its site hides, one whose text is elsewhere."""
