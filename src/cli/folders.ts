import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

// The user's folders. None depends on the working directory, which may be a project that an agent edits: a relative path in
// an XDG variable is invalid and ignored, as its specification says.

/** A data folder that keeps nothing. */
export const nowhere = ':memory:';

export const configurationName = 'purser.config.yaml';

export const dataFolder = (env: NodeJS.ProcessEnv): string =>
  userFolder(
    { darwin: library('Application Support'), win32: absolute(env.LOCALAPPDATA) ?? windows('Local') },
    absolute(env.XDG_DATA_HOME) ?? join(home(), '.local', 'share'),
  );

/** What is remembered between runs, never below the data folder. */
export const stateFolder = (env: NodeJS.ProcessEnv): string =>
  `${userFolder(
    { darwin: library('Application Support'), win32: absolute(env.LOCALAPPDATA) ?? windows('Local') },
    absolute(env.XDG_STATE_HOME) ?? join(home(), '.local', 'state'),
  )}-state`;

/** Where the configuration file is when nobody names another. */
export const configurationFile = (env: NodeJS.ProcessEnv): string =>
  join(
    userFolder(
      { darwin: library('Application Support'), win32: absolute(env.APPDATA) ?? windows('Roaming') },
      absolute(env.XDG_CONFIG_HOME) ?? join(home(), '.config'),
    ),
    configurationName,
  );

/** Where compiled code is kept. */
export const cacheFolder = (env: NodeJS.ProcessEnv): string =>
  userFolder(
    { darwin: library('Caches'), win32: absolute(env.LOCALAPPDATA) ?? windows('Local') },
    absolute(env.XDG_CACHE_HOME) ?? join(home(), '.cache'),
  );

const userFolder = (own: { readonly [platform: string]: string }, xdg: string): string =>
  join(own[process.platform] ?? xdg, 'purser');

const library = (name: string): string => join(home(), 'Library', name);
const windows = (name: string): string => join(home(), 'AppData', name);
const absolute = (path: string | undefined): string | undefined =>
  path !== undefined && isAbsolute(path) ? path : undefined;
/** HOME may say anything; the account's own folder is absolute. */
const home = (): string => absolute(homedir()) ?? userInfo().homedir;
