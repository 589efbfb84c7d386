// A client of live.occ: the WebSocket that node.js has.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const server = spawn(process.argv[2], [process.argv[3]], { stdio: ["ignore", "pipe", "inherit"] });
createInterface({ input: server.stdout }).once("line", line => {
  const socket = new WebSocket(`ws://${line.split(" ").pop()}/live`);
  socket.onmessage = message => {
    const count = JSON.parse(message.data).philosophers.length;
    socket.onmessage = null;
    socket.onclose = event => {
      console.log(`node's own client: ${count} philosophers, closed with ${event.code}`);
      server.kill();
      process.exit(0);
    };
    socket.close(1000);
  };
});
