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
  readonly [K in keyof Things]-?: KindSpec<keyof NonNullable<Things[K]>['body' & keyof NonNullable<Things[K]>]>;
};

/** What the other layers need to know of a kind of thing. */
export interface KindSpec<Member = string> {
  /** The member of the facts that holds the platform's id. The handle is then derived from it; otherwise it is drawn. */
  readonly platformId?: Member;
  /** The tools that find handles of this kind. */
  readonly foundBy: readonly string[];
  /** The tool that shows one thing of this kind as it is now. */
  readonly shownBy: string;
  /** What an approval binds besides the handle: the facts too, or nothing at all, where the kind records earlier calls. */
  readonly approvalBinds?: 'facts' | 'nothing';
  /** Limits can be counted for each thing of this kind. */
  readonly limitScope?: true;
  /** A call with such a handle knows the card that pays, so limits on cards apply to it. */
  readonly namesCard?: true;
  /** How it is searched for. */
  readonly search?: Search;
  /** The member of the facts that refers to a secret in the vault, and who may redeem it, once. */
  readonly secret?: { readonly member: string; readonly redeemedBy: 'app' };
}

/** A row of the index of searches: newest first by `at`, among the rows with the same key and value. */
export interface SearchKey {
  readonly key: string;
  readonly value: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What searches read of a thing. */
export type Searched = Pick<Thing, 'state' | 'body' | 'createdAt'>;

/** How things of a kind are searched for. A change here needs a migration that writes the index again. */
export interface Search {
  readonly keys?: (row: Searched) => readonly SearchKey[];
  /** The text that is searched by the beginning of any word. */
  readonly text?: (row: Searched) => string;
}
