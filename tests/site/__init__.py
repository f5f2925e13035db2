"""The course's site, as `make site` builds it, read and used in headless Chromium."""
