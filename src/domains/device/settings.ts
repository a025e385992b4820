/** The operator's settings of the card reader. */
export interface DeviceSettings {
  /** Where the platform processes the reader's transactions. */
  readonly environment: 'test' | 'live';
  /** Whose reader it is: readers of two tenants have two handles. */
  readonly owner: string;
  /** Releases of the SDK that are newer than document 3, oldest first. */
  readonly sdkReleases?: readonly string[] | undefined;
}
