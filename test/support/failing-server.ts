import { createInterface } from 'node:readline';
import { type Asked, answerTo } from './failing-answers.ts';

// A server that fails as its first argument says: it ends at once or in a call, or it doesn't answer a request.

const [, , how = '', ...names] = process.argv;

function complain(): void {
  for (const name of names) process.stderr.write(`${name} is ${process.env[name]}\n`);
  process.stderr.write('\u001b[31mError:\u001b[0m no database at db.sqlite\npassword=hunter-two-2\n');
}

if (how === 'ends') {
  complain();
  process.exit(3);
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line) as Asked;
  if (id === undefined || method === how) return;
  if (how === 'ends in a call' && params?.name === 'add') {
    complain();
    process.exit(4);
  }
  if (how === 'is killed' && method === 'tools/call') process.kill(process.pid, 'SIGKILL');
  process.stdout.write(`${JSON.stringify(answerTo(id, method))}\n`);
});
