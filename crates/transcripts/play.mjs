// Plays scripts in wasm: `node play.mjs MODULE COMMANDS TERRAFORM SCRIPT…` prints a line `HASH BYTES` and the text for
// each. Terraform is a module of its own, as in the page, and kubectl and docker are the part COMMANDS of the first one;
// a few times both are said not to be there yet.
import { readFile } from 'node:fs/promises';
import { stdout, argv } from 'node:process';

const [module, commands, terraform, ...scripts] = argv.slice(2);
const [first, part] = await Promise.all([module, commands].map(async (file) => WebAssembly.compile(await readFile(file))));
const compiled = await WebAssembly.compile(await readFile(terraform));
let exports, delay, waits, said, answer, program;
function turn() {
  if (delay > 0) return delay--, new Uint8Array();
  exports ??= new WebAssembly.Instance(compiled, {}).exports;
  const at = exports.room(said.length);
  new Uint8Array(exports.memory.buffer, at, said.length).set(said);
  const start = exports.turn();
  return new Uint8Array(exports.memory.buffer, start, exports.length()).slice();
}
const side = {
  say: (byte) => void said.push(byte),
  answer() {
    answer = turn();
    said = [];
    return answer.length;
  },
  answer_byte: (index) => answer[index],
  arrived() {
    if (waits > 0) return waits--, 0;
    if (waits === 0) new WebAssembly.Instance(part, { m: program });
    waits = -1;
    return 1;
  },
};

for (const script of scripts) {
  [delay, waits, said, exports] = [3, 2, [], undefined];
  program = new WebAssembly.Instance(first, { side }).exports;
  const { feed, play_fed, shown_length, shown_byte } = program;
  for (const byte of await readFile(script)) feed(byte);
  const hash = BigInt.asUintN(64, play_fed()).toString(16).padStart(16, '0');
  const shown = Buffer.from(Array.from({ length: shown_length() }, (_, index) => shown_byte(index)));
  stdout.write(`${hash} ${shown.length}\n`);
  stdout.write(shown);
}
