// Prints the answers to requests, a line each: node answers.mjs SITE <requests
import { createInterface } from 'node:readline';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const { answer } = await import(pathToFileURL(resolve(process.argv[2], 'hpa.mjs')));
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(answer(JSON.parse(line))) + '\n');
}
