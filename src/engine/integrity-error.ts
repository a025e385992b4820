/** The ledger contradicts what Purser guarantees. Contains no value of it. */
export class IntegrityError extends Error {
  override readonly name = 'IntegrityError';
  readonly operation: string | undefined;
  constructor(because: string, operation?: string) {
    super(because);
    this.operation = operation;
  }
}
