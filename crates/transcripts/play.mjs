// Plays scripts in wasm: `node play.mjs MODULE SCRIPT…` prints a line `HASH BYTES` and the text for each.
import { readFile } from 'node:fs/promises';
import { stdout, argv } from 'node:process';

const [module, ...scripts] = argv.slice(2);
const { instance } = await WebAssembly.instantiate(await readFile(module), {});
const { feed, play_fed, shown_length, shown_byte } = instance.exports;

for (const script of scripts) {
  for (const byte of await readFile(script)) feed(byte);
  const hash = BigInt.asUintN(64, play_fed()).toString(16).padStart(16, '0');
  const shown = Buffer.from(Array.from({ length: shown_length() }, (_, index) => shown_byte(index)));
  stdout.write(`${hash} ${shown.length}\n`);
  stdout.write(shown);
}
