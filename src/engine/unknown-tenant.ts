/** A tenant that Purser has no platform account for. The message names nobody: names of tenants are not for callers. */
export class UnknownTenant extends Error {
  override readonly name = 'UnknownTenant';
  constructor() {
    super('Purser serves no tenant of this name: add it with its own credentials to `tenants`.');
  }
}
