/** One thing the ledger knows. */
export interface Thing<Body = Readonly<Record<string, unknown>>> {
  readonly handle: string;
  readonly kind: string;
  /** The handle of the shopper it belongs to; a shopper belongs to nobody. */
  readonly owner: string;
  readonly state: string;
  readonly body: Body;
  readonly createdAt: number;
}

/** What a domain declares of each of its kinds. */
export type KindsOf<Things> = {
  readonly [K in keyof Things]-?: {
    /** The member of the facts that holds the platform's id, where the handle is derived from it. */
    readonly platformId?: keyof NonNullable<Things[K]>['body' & keyof NonNullable<Things[K]>];
  };
};
