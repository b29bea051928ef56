// Plays scripts in wasm: `node play.mjs MODULE TERRAFORM SCRIPT…` prints a line `HASH BYTES` and the text for each.
// Terraform is a module of its own, as in the page; a few times it is said not to be there yet.
import { readFile } from 'node:fs/promises';
import { stdout, argv } from 'node:process';

const [module, terraform, ...scripts] = argv.slice(2);
const compiled = await WebAssembly.compile(await readFile(terraform));
let exports, delay, said, answer;
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
};
const { instance } = await WebAssembly.instantiate(await readFile(module), { side });
const { feed, play_fed, shown_length, shown_byte } = instance.exports;

for (const script of scripts) {
  [delay, said, exports] = [3, [], undefined];
  for (const byte of await readFile(script)) feed(byte);
  const hash = BigInt.asUintN(64, play_fed()).toString(16).padStart(16, '0');
  const shown = Buffer.from(Array.from({ length: shown_length() }, (_, index) => shown_byte(index)));
  stdout.write(`${hash} ${shown.length}\n`);
  stdout.write(shown);
}
