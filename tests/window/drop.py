"""Act like another program on a window: drop a file on it, and count the windows that appear. Uses
python3-xlib and the protocol XDND 5 of freedesktop.org."""
import time

from Xlib import X, Xatom, display
from Xlib.protocol import event


class Desktop:
    """A connection to the X server of a screen."""

    def __init__(self, env):
        self.display = display.Display(env['DISPLAY'])
        self.root = self.display.screen().root

    def atom(self, name):
        return self.display.intern_atom(name)

    def watch(self):
        """Start counting the windows that appear on the screen."""
        self.root.change_attributes(event_mask=X.SubstructureNotifyMask)
        self.display.sync()

    def appeared(self):
        """Number of windows that appeared since the last call."""
        self.display.sync()
        count = 0
        while self.display.pending_events():
            count += self.display.next_event().type == X.MapNotify
        return count

    def drop(self, number, path, seconds=10):
        """Drop a file on a window. Return True if the window reports that it accepted the file."""
        target = self.display.create_resource_object('window', number)
        while not target.get_full_property(self.atom('XdndAware'), X.AnyPropertyType):
            target = target.query_tree().parent
            if target == self.root:
                return False
        source = self.root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
        source.set_selection_owner(self.atom('XdndSelection'), X.CurrentTime)
        kind, source_id = self.atom('text/uri-list'), source.id
        self.send(target, 'XdndEnter', [source_id, 5 << 24, kind, 0, 0])
        self.send(target, 'XdndPosition', [source_id, 0, 50 << 16 | 50, X.CurrentTime,
                                           self.atom('XdndActionCopy')])
        taken = False
        dropped, end = False, time.monotonic() + seconds
        while not taken and time.monotonic() < end:
            if not self.display.pending_events():
                time.sleep(.01)
                continue
            taken, dropped = self.answer(self.display.next_event(), target, source, path, dropped)
        source.destroy()
        self.display.sync()
        return taken

    def answer(self, seen, target, source, path, dropped):
        if seen.type == X.SelectionRequest:
            seen.requestor.change_property(seen.property, seen.target, 8,
                                           f'file://{path}\r\n'.encode())
            seen.requestor.send_event(event.SelectionNotify(
                time=seen.time, requestor=seen.requestor, selection=seen.selection,
                target=seen.target, property=seen.property))
            self.display.flush()
        if seen.type != X.ClientMessage:
            return False, dropped
        if seen.client_type == self.atom('XdndStatus') and not dropped:
            self.send(target, 'XdndDrop', [source.id, 0, X.CurrentTime, 0, 0])
            dropped = True
        return seen.client_type == self.atom('XdndFinished'), dropped

    def send(self, target, name, data):
        target.send_event(event.ClientMessage(window=target, client_type=self.atom(name),
                                              data=(32, data)))
        self.display.flush()

    def end(self):
        self.display.close()
