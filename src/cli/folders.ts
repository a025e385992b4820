import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

// The user's folders. None depends on the working directory, which may be a project that an agent edits. A relative
// path in an XDG variable is ignored, as the XDG specification requires.

/** A data folder that keeps nothing. */
export const nowhere = ':memory:';

export const configurationName = 'purser.config.yaml';

export const dataFolder = (env: NodeJS.ProcessEnv): string =>
  userFolder(
    { darwin: library('Application Support'), win32: absolute(env.LOCALAPPDATA) ?? windows('Local') },
    absolute(env.XDG_DATA_HOME) ?? join(home(), '.local', 'share'),
  );

/** The folder of state that outlives a run, outside the data folder. */
export const stateFolder = (env: NodeJS.ProcessEnv): string =>
  `${userFolder(
    { darwin: library('Application Support'), win32: absolute(env.LOCALAPPDATA) ?? windows('Local') },
    absolute(env.XDG_STATE_HOME) ?? join(home(), '.local', 'state'),
  )}-state`;

/** The default location of the configuration file. */
export const configurationFile = (env: NodeJS.ProcessEnv): string =>
  join(
    userFolder(
      { darwin: library('Application Support'), win32: absolute(env.APPDATA) ?? windows('Roaming') },
      absolute(env.XDG_CONFIG_HOME) ?? join(home(), '.config'),
    ),
    configurationName,
  );

/** The folder of Node's compile cache. */
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
/** HOME may be relative; the account's home folder is absolute. */
const home = (): string => absolute(homedir()) ?? userInfo().homedir;
