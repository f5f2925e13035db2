"""The claims of lesson 02, part by part."""
