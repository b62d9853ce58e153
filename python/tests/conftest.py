"""Tests that press Ctrl-C also work in a process that a shell began in the background, which
ignores it."""
import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
