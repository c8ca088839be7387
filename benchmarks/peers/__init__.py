"""Other search engines over the very same sections, to compare with. Nothing of the product depends on them.

They come with the extra `bench`; one that is not installed is left out.
"""
