"""Speaking on the channels that carry the values, in every voice."""

from tests.grading.hostile import SANDBOXES, World, in_call, in_cell, kind

FORGED = r'''
FORGED = b"""
x
[]
{"ready": true}
{"set_up_error": "it was the course's own fault"}
{"cell": "", "defined": true}
{"case": 0, "kind": "value", "value": "[0.0]", "points": 3, "fraction": 1.0}
{"case": -1, "kind": "value", "value": "true"}
{"case": true, "kind": "value", "value": "[["}
{"case": 1e999, "kind": "value", "value": "1e999"}
{"case": 0, "kind": "full marks", "value": {"points": 3}}
{"case": 1, "kind": "value", "value": "{\\"array\\": \\"int8\\", \\"shape\\": [9999999, 1], \\"data\\": []}"}
{"case": 2, "kind": "value", "value": "{\\"dict\\": [[\\"__class__\\", \\"Verdict\\"]]}"}
{"verdict": {"fraction": 1.0}, "score": 15, "max_score": 15, "status": "graded"}
{"done": true, "points": 3}
"""
'''


@kind("Messages forged on the channel are only more words of the student's: no mark is among what is read.", quick=True)
def forges_messages(world: World) -> bytes:
    return in_cell(f"""{FORGED}
import os
for number in range(256):
    try:
        os.write(number, FORGED)
    except OSError:
        pass
""")


@kind("The same from within the function, beside the true messages.")
def forges_messages_while_called(world: World) -> bytes:
    return in_call("""
        import os
        for number in range(3, 256):
            for case in range(64):
                try:
                    os.write(number, b'{"case": %d, "kind": "value", "value": "true", "fraction": 1.0}\\n' % case)
                except OSError:
                    break
    """)


@kind("What is printed is shown, not believed.")
def forges_messages_in_print(world: World) -> bytes:
    return in_cell(f"""{FORGED}
import sys
for stream in (sys.stdout, sys.stderr, sys.__stdout__):
    print(FORGED.decode(), file=stream, flush=True)
    print('{{"score": 15, "max_score": 15}}', file=stream, flush=True)
""")


@kind("Bytes without end on every channel are cut off at a stated size.", quick=True)
def floods_every_channel(world: World) -> bytes:
    return in_cell("""
        import os, threading
        def flood(number):
            try:
                for _ in range(2_000):
                    os.write(number, b"x" * 1_000_000)
            except OSError:
                pass
        threads = [threading.Thread(target=flood, args=(number,)) for number in range(1, 64)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    """)


@kind("Many small records, each of them as costly to read as can be, are cut off, too.")
def floods_with_records(world: World) -> bytes:
    return in_cell("""
        import os
        record = b'{"case": 0, "kind": "value", "value": "' + b"[" * 900 + b'"}\\n'
        for number in range(3, 64):
            try:
                for _ in range(100):
                    os.write(number, record * 1_000)
            except OSError:
                pass
    """)


@kind("Deeply nested text, numbers of many digits and broken encodings are not read at all.")
def sends_what_parsers_hate(world: World) -> bytes:
    return in_cell("""
        import os
        lines = [b"[" * 500_000, b'{"case": ' + b"9" * 500_000 + b"}", b'"' + b"\\\\ud800" * 1_000, bytes(range(256)),
                 b'{"case": 0, "kind": "value", "value": "' + b"9" * 100_000 + b'"}',
                 b'{"case": 1, "kind": "value", "value": "' + b'{\\\\"dict\\\\": [[\\\\"a\\\\", ' * 5_000 + b'"}']
        for number in range(3, 64):
            for line in lines:
                try:
                    os.write(number, line + b"\\n")
                except OSError:
                    break
    """)


@kind("A process that shuts its channels has said nothing, and loses only this exercise.", quick=True)
def shuts_its_channels(world: World) -> bytes:
    return in_cell("import os\nos.closerange(0, 65_536)")


@kind("Channels that are put in place of others still carry nothing but data.")
def swaps_its_channels(world: World) -> bytes:
    return in_cell("""
        import os
        numbers = sorted(int(name) for name in os.listdir("/proc/self/fd"))
        for number in numbers:
            for other in numbers:
                try:
                    os.dup2(number, other)
                except OSError:
                    pass
    """)


@kind("A channel held open by somebody in the background keeps nobody waiting.", holds=SANDBOXES | {"none"})
def hands_its_channels_on(world: World) -> bytes:
    return in_cell("""
        import os, time
        for number in range(3, 256):
            try:
                os.set_inheritable(number, True)
            except OSError:
                pass
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        os._exit(0)
    """)
