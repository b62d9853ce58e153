"""A shell begins background processes with Ctrl-C ignored. Tests that press it also work there."""
import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
