import { type FieldGroups, precedingGroups } from './preceding-groups.ts';
import { words } from './words.ts';

/** Document 3, "Report field groups": every group that it shows, in full. */
export const documentedGroups = {
  Risk: words(`
    AppliedAVS AppliedCategoryGift AppliedCategoryTime AppliedCV AppliedHostHedge AppliedThreshold AppliedTimeHedge
    AppliedVelocityHedge BinAccountType BinCountry BinIssuer BinScheme CodeType CodeValue ConsumerLoyalty
    ConsumerPasswordProvided ConsumerPromotions CookiesAccepted CookiesEnabled DeviceFingerPrint Factors FlashEnabled
    GiftWrap HostSeverity ImagesEnabled IPCity IPCountry IPRoutingMethod IPState JavascriptEnabled LostPassword
    ProductRisk ProxyIPAddress ProxyIPAddressActivities ProxyIPAddressAttributes ProxyServerType RepeatCustomer
    ReturnsAccepted Score TimeLocal TrueIPAddress TrueIPaddressActivities TrueIPAddressAttributes TrueIPAddressCity
    TrueIPAddressCountry`),
  SCAExemption: words('SCAExemption SCAExemptionValues'),
  Sender: words(`
    Address City Country DOB FirstName LastName MiddleInitial PhoneNumber PostalCode SenderReferenceNumber SourceOfFunds
    State`),
  Settlement: words(`
    SettlementAge SettlementAmount SettlementCurrencyCode SettlementDate SourceResponseCode SourceResponseMessage Status`),
  Shipping: words('Carrier Method'),
  ShipTo: words('Address1 Address2 City CompanyName Country FirstName LastName Phone State Zip'),
  NetworkToken: words('NetworkTokenPAR'),
  TMSToken: words('CustomerID PaymentInstrumentID InstrumentIdentifierID ShippingAddressID'),
  Token: words('NetworkTokenTransType TokenCode'),
  Travel: words(`
    CompleteRoute DepartureDateTime JourneyType Number PassengerFirstName PassengerEmail PassengerId PassengerLastName
    PassengerPhone PassengerStatus PassengerType`),
  VEReq: words('AcquirerBin MerchantID Pan'),
  VERes: words('AccountID AcsUrl Enrolled'),
  PaymentMethod: words(`
    AccountSuffix BankAccountName BankCode BoletoBarCodeNumber BoletoNumber CardCategory CardCategoryCode CardType
    CheckNumber ExpirationMonth ExpirationYear IssueNumber MandateId MandateType SignatureDate StartMonth StartYear
    WalletType`),
} as const satisfies FieldGroups;

const groups = { ...precedingGroups, ...documentedGroups } as const;
export type GroupName = keyof typeof groups;
export const groupNames = Object.keys(groups) as readonly GroupName[]; // the keys of the table

/** A field of a report, with its group. */
export interface ReportField {
  readonly group: GroupName;
  /** `Group.Name`, as in requests. */
  readonly id: string;
}

/** Every field that is known, in the order of the groups. */
export const reportFields: readonly ReportField[] = groupNames.flatMap((group) =>
  groups[group].map((name) => ({ group, id: `${group}.${name}` })),
);

/** The group in the name of a field. */
export const groupOf = (id: string): string => id.slice(0, Math.max(id.indexOf('.'), 0));
