"""An editor that debugs through `occc debug --dap`: adapter.py OCCC FOLDER. Prints what it sees."""

import json
import os
import queue
import subprocess
import sys
import threading


class Adapter:
    def __init__(self, occc):
        self.process = subprocess.Popen([occc, "debug", "--dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.number, self.incoming, self.events, self.printed = 0, queue.Queue(), [], ""
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        stream = self.process.stdout
        while line := stream.readline():
            length = int(line.split(b":")[1])
            stream.readline()
            self.incoming.put(json.loads(stream.read(length)))
        self.incoming.put(None)

    def take(self):
        message = self.incoming.get(timeout=30)
        if message is None:
            raise SystemExit("the adapter has ended")
        if message["type"] == "event" and message["event"] == "output":
            self.printed += message["body"]["output"] if message["body"]["category"] == "stdout" else ""
        elif message["type"] == "event":
            self.events.append(message)
        return message

    def ask(self, command, **arguments):
        self.number += 1
        number = self.number
        body = json.dumps({"seq": number, "type": "request", "command": command, "arguments": arguments}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()
        while True:
            message = self.take()
            if message["type"] == "response" and message["request_seq"] == number:
                return message["body"] if message["success"] else "refused: " + message["message"]

    def until(self, *names):
        while True:
            for event in self.events:
                if event["event"] in names:
                    self.events.remove(event)
                    return event
            self.take()

    def stack(self, thread=1):
        return self.ask("stackTrace", threadId=thread)["stackFrames"]

    def where(self):
        frame = self.stack()[0]
        names = {each["name"]: each["value"] for each in self.ask("variables", variablesReference=frame["id"])["variables"]}
        return f"{frame['name']} {frame['line']} n={names.get('n')}"


def main(occc, folder):
    program = os.path.join(folder, "ring.occ")
    adapter = Adapter(occc)
    print("filters", [each["filter"] for each in adapter.ask("initialize", adapterID="occam")["exceptionBreakpointFilters"]])
    adapter.ask("launch", program=program)
    adapter.until("initialized")
    made = adapter.ask("setBreakpoints", source={"path": program}, breakpoints=[{"line": 11, "condition": "n == 1"}])
    print("breakpoint", made["breakpoints"][0]["verified"])
    adapter.ask("setExceptionBreakpoints", filters=["deadlock"])
    adapter.ask("configurationDone")
    print("stopped", adapter.until("stopped", "terminated")["body"]["reason"], adapter.where())
    for command in ("next", "stepIn", "stepOut", "next", "next"):
        adapter.ask(command, threadId=1)
        print(command, adapter.until("stopped", "terminated")["body"]["reason"], adapter.where())
    threads = adapter.ask("threads")["threads"]
    waiting = [each for each in threads if "waits" in each["name"]]
    print("processes that wait", len(waiting) > 2)
    for each in waiting:
        print(each["name"].split(" ")[0:2], [frame["name"] for frame in adapter.stack(each["id"])])
    print("evaluate", adapter.ask("evaluate", expression="n", frameId=adapter.stack()[0]["id"])["result"])
    adapter.ask("setBreakpoints", source={"path": program}, breakpoints=[])
    adapter.ask("continue", threadId=1)
    event = adapter.until("stopped", "terminated")
    print("then", event["event"], event["body"].get("reason"))
    adapter.ask("continue", threadId=1)
    print("exit", adapter.until("exited")["body"]["exitCode"])
    adapter.until("terminated")
    print("printed", "EFH" in adapter.printed or adapter.printed)
    print("no such request:", adapter.ask("teleport"))
    adapter.ask("disconnect")
    print("gone", adapter.process.wait(20))
    adapter = Adapter(occc)
    adapter.ask("initialize")
    adapter.ask("launch", program=os.path.join(folder, "spin.occ"))
    adapter.ask("configurationDone")
    adapter.ask("pause", threadId=1)
    print("pause", adapter.until("stopped")["body"]["reason"])
    adapter.ask("disconnect")
    print("gone", adapter.process.wait(20))
    adapter = Adapter(occc)
    print(adapter.ask("launch", program=os.path.join(folder, "wrong.occ")).split(": ")[0])


if __name__ == "__main__":
    main(sys.argv[1], os.path.abspath(sys.argv[2]))
