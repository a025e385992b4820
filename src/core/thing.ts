/** A thing in the ledger. */
export interface Thing<Body = Readonly<Record<string, unknown>>> {
  readonly handle: string;
  readonly kind: string;
  /** The handle of its shopper; a shopper has no owner. */
  readonly owner: string;
  readonly state: string;
  readonly body: Body;
  readonly createdAt: number;
}

/** A domain's declaration of each of its kinds. */
export type KindsOf<Things> = {
  readonly [K in keyof Things]-?: KindSpec<keyof NonNullable<Things[K]>['body' & keyof NonNullable<Things[K]>]>;
};

/** The declaration of a kind, for the other layers. */
export interface KindSpec<Member = string> {
  /** What tools call such a thing, where that isn't the kind's own name. */
  readonly words?: string;
  /** The fact that holds the platform's id, from which the handle is derived; otherwise the handle is random. */
  readonly platformId?: Member;
  /** Facts that never change once they are known: an answer that says otherwise is about another thing (EN-08). */
  readonly neverChanges?: readonly Member[];
  /** The tools that find handles of this kind. */
  readonly foundBy: readonly string[];
  /** The tool that shows the current state of a thing of this kind. */
  readonly shownBy: string;
  /** What an approval binds besides the handle: the facts, or nothing if the kind only records earlier calls. */
  readonly approvalBinds?: 'facts' | 'nothing';
  /** Limits can be counted per thing of this kind. */
  readonly limitScope?: true;
  /** A call with such a handle determines the paying card, so limits on cards apply to it. */
  readonly namesCard?: true;
  /** Facts of it that only say whose it is. */
  readonly namesOwner?: readonly Member[];
  /** Its search index. */
  readonly search?: Search;
  /** The data that the merchant's app needs to show it on its own page; undefined if there is none. */
  readonly forApp?: (thing: Pick<Thing, 'state' | 'body'>) => object | undefined;
  /** The fact that refers to a secret in the vault, and who may redeem it, once. */
  readonly secret?: { readonly member: string; readonly redeemedBy: Redeemer; readonly releasedFor?: ReleasedFor };
}

/** The thing that a secret was released for. Once that has ended, the secret is deleted instead of redeemed. */
export interface ReleasedFor {
  readonly kind: string;
  /** The fact of the secret's thing that has the handle of that one. */
  readonly member: string;
  /** The fact of that one that has the handle of the newest secret's thing. */
  readonly newest: string;
  /** Whether it still allows a secret's thing to be redeemed. */
  readonly allows: (it: Pick<Thing, 'state' | 'body'>, secret: Pick<Thing, 'body'>, now: number) => boolean;
}

/** Who may redeem a secret of the vault: the merchant's payment system, or whoever runs Purser. */
export type Redeemer = 'app' | 'operator';

/** A row of the search index; rows with equal key and value are sorted newest first by `at`. */
export interface SearchKey {
  readonly key: string;
  readonly value: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The search key of the platform's ids, for a kind whose handles aren't derived from one. */
export const platformIdKey = 'platformId';

/** The parts of a thing that the search index reads. */
export type Searched = Pick<Thing, 'state' | 'body' | 'createdAt'>;

/** The search index of a kind. A change here needs a migration that rebuilds the index. */
export interface Search {
  readonly keys?: (row: Searched) => readonly SearchKey[];
  /** The text that is searched by the beginnings of its words. */
  readonly text?: (row: Searched) => string;
}
