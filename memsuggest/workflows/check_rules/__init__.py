"""Checks of rules: do they hold, and what does no file say?"""
