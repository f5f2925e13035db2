"""The longer definitions of lesson 01's exercises, one module for each."""
