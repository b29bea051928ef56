// Bundles the editor into target/editor/, with the licences of what is inside.
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync, readdirSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "../target/editor");
mkdirSync(out, { recursive: true });
const result = await build({
  entryPoints: [join(here, "editor.mjs")],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "none",
  outfile: join(out, "editor.js"),
  metafile: true,
});
const packages = new Set();
for (const input of Object.keys(result.metafile.inputs)) {
  const match = input.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//);
  if (match) packages.add(match[1]);
}
let notices = "The editor contains these packages.\n";
for (const name of [...packages].sort()) {
  const folder = join(here, "node_modules", name);
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  const text = file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8") : "";
  notices += `\n---- ${name} ${about.version} (${about.license})\n\n${text.trim()}\n`;
}
writeFileSync(join(out, "THIRD-PARTY.txt"), notices);
