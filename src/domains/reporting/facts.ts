import type { KindsOf, Thing } from '../../core/thing.ts';

// What is known of reporting from the platform's last responses. Reports and subscriptions are named by the merchant.

export interface ReportingThings {
  readonly reportDefinition?: Thing<ReportDefinitionFacts>;
  readonly reportList?: Thing<ReportListFacts>;
  readonly reportQueue?: Thing<ReportQueueFacts>;
  readonly reportSubscription?: Thing<ReportSubscriptionFacts>;
  readonly report?: Thing<ReportFacts>;
}

export const kinds = {
  reportDefinition: {
    platformId: 'name',
    foundBy: ['list_report_definitions'],
    shownBy: 'describe_report_definition',
    approvalBinds: 'nothing',
  },
  reportList: {
    foundBy: ['list_report_subscriptions'],
    shownBy: 'list_report_subscriptions',
    approvalBinds: 'nothing',
  },
  reportQueue: {
    foundBy: ['list_reports'],
    shownBy: 'list_reports',
    approvalBinds: 'nothing',
  },
  reportSubscription: {
    platformId: 'reportName',
    foundBy: ['list_report_subscriptions'],
    shownBy: 'get_report_subscription',
  },
  report: { platformId: 'reportId', foundBy: ['list_reports'], shownBy: 'get_report' },
} as const satisfies KindsOf<ReportingThings>;

/** A definition as the platform described it. */
export interface ReportDefinitionFacts {
  readonly name: string;
  /** The ids of its fields. */
  readonly fields: readonly string[];
  /** The handle of the list of subscriptions, so that a call about a definition knows it. */
  readonly reportList: string;
  /** The handle of the one-time reports that are being made. */
  readonly reportQueue: string;
}

/** A report subscription. Its state is ACTIVE, or DELETED once Purser has deleted it. */
export interface ReportSubscriptionFacts {
  /** Unique, and the platform's id. */
  readonly reportName: string;
  readonly definition: string;
}

/** A report. Its state is the platform's. */
export interface ReportFacts {
  /** The platform's id. */
  readonly reportId: string;
  readonly reportName: string;
  /** When its range ends, in milliseconds; and in which time zone it is told. */
  readonly endsAt?: number | undefined;
  readonly timeZone?: string | undefined;
  /** In capitals. */
  readonly frequency?: string | undefined;
}

/** The one-time reports that were being made when somebody last looked. */
export interface ReportQueueFacts {
  readonly running: readonly {
    readonly reportName: string;
    /** When it was requested, in milliseconds; where the platform doesn't say, when it was seen. */
    readonly since: number;
  }[];
}

/** All report subscriptions of the merchant. */
export interface ReportListFacts {
  /** The definition of each subscription, by its name. */
  readonly definitions: { readonly [reportName: string]: string };
}
