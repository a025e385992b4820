/** A tenant without a platform account. The message names no tenant, because callers may not learn their names. */
export class UnknownTenant extends Error {
  override readonly name = 'UnknownTenant';
  constructor() {
    super('Purser serves no tenant of this name: add it with its own credentials to `tenants`.');
  }
}
