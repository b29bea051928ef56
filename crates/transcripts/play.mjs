// Plays scripts in wasm: `node play.mjs MODULE COMMANDS TERRAFORM SCRIPT…` prints a line `HASH BYTES` and the text for
// each. kubectl and docker, and Terraform, are parts that come after the module, as in the page; a few times each is
// said not to be there yet.
import { readFile } from 'node:fs/promises';
import { stdout, argv } from 'node:process';

const [module, commands, terraform, ...scripts] = argv.slice(2);
const [first, ...parts] = await Promise.all(
  [module, commands, terraform].map(async (file) => WebAssembly.compile(await readFile(file))),
);
let program, waits, come;
const side = {
  arrived(part) {
    if (waits[part] > 0) return waits[part]--, 0;
    for (; come <= part; come++) Object.assign(program, new WebAssembly.Instance(parts[come], { m: program }).exports);
    return 1;
  },
};

for (const script of scripts) {
  [waits, come] = [[2, 3], 0];
  program = { ...new WebAssembly.Instance(first, { side }).exports };
  const { feed, play_fed, shown_length, shown_byte } = program;
  for (const byte of await readFile(script)) feed(byte);
  const hash = BigInt.asUintN(64, play_fed()).toString(16).padStart(16, '0');
  const shown = Buffer.from(Array.from({ length: shown_length() }, (_, index) => shown_byte(index)));
  stdout.write(`${hash} ${shown.length}\n`);
  stdout.write(shown);
}
