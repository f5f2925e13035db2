"""The exercises of lesson 02, part by part."""
