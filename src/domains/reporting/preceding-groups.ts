import { words } from './words.ts';

/** Fields of a report by group. A field is written `Group.Name`. */
export type FieldGroups = Readonly<Record<string, readonly string[]>>;

/**
 * The groups before Risk, which document 3 names nowhere. Groups and fields are public facts about the platform (D-80); a
 * field that is named after a company is left out.
 */
export const precedingGroups = {
  Request: words(`
    RequestID TransactionDate MerchantID PartnerOriginalTransactionID MerchantReferenceNumber Source Comments
    LocalizedRequestDate PartnerSDKVersion SubscriptionID TerminalSerialNumber TransactionID TransactionRefNumber
    TransactionType User`),
  AFSFields: words('Factors HostSeverity InfoCodeString IPAddress IPCountry IPRoutingMethod IPState Model Score'),
  Application: words('Name RCode RFlag RMsg ReasonCode'),
  BankInfo: words('Address BranchCode City Country Name SwiftCode'),
  Batch: words('BatchDate BatchID Status SuccessFlag'),
  BillTo: words(`
    FirstName LastName Email Country Address1 Address2 City CompanyName CompanyTaxID CustomerID HostName IPAddress
    MiddleName NameSuffix PersonalID Phone State Title UserName Zip`),
  ChargebackAndRetrieval: words(`
    ARN AdjustmentAmount AdjustmentCurrency CaseIdentifier CaseNumber CaseTime CaseType ChargebackAmount
    ChargebackCurrency ChargebackMessage ChargebackReasonCode ChargebackReasonCodeDescription ChargebackTime
    DocumentIndicator FeeAmount FeeCurrency FinancialImpact FinancialImpactType MerchantCategoryCode PartialIndicator
    ResolutionTime ResolvedToIndicator RespondByDate TransactionType`),
  Check: words('AccountEncoderID BankTransitNumber SecCode'),
  Conversion: words('ConversionDate NewDecision OriginalDecision Profile Queue Reviewer ReviewerComments'),
  CustomerFields: words(`
    CustomerID BillingAddress1 BillingAddress2 BillingCity BillingCompanyName BillingCountry BillingEmail
    BillingFirstName BillingLastName BillingPhone BillingPostalCode BillingState ShippingAddress1 ShippingAddress2
    ShippingCity ShippingCompanyName ShippingCountry ShippingFirstName ShippingLastName ShippingPhone
    ShippingPostalCode ShippingState`),
  Deposit: words(`
    Amount Category Currency ExchangeRate ExchangeRateDescription Identifier MerchantBankAcctLast4 MerchantBankAcctName
    MerchantBankCode MerchantBankCountry MerchantBankName MerchantID Method Status Time TransferMessage Type`),
  Device: words('DeviceID'),
  DeviceFingerprintFields: words(`
    BrowserLanguage CookiesEnabled DeviceFirstSeen DeviceLatitude DeviceLongitude DeviceMatched FlashEnabled
    FlashOperatingSystem FlashVersion GPSAccuracy ImagesEnabled JavaScriptEnabled ProfiledURL ProxyIPAddress
    ProxyIPAddressActivities ProxyIPAddressAttributes ProxyServerType ScreenResolution SmartID SmartIDConfidenceLevel
    TimeOnPage TrueIPAddress TrueIPAddressActivities TrueIPAddressAttributes TrueIPAddressCity TrueIPAddressCountry
    TypeofBrowserAgent`),
  Event: words('Event EventDate ProcessorMessage Amount CurrencyCode'),
  Exception: words(`
    Action ClientID DccLookupStatus DccExchangeRate DccMarginRate ExceptionAmount ExceptionAmountCurrency
    ExceptionCategory ExceptionDate ExceptionDescription ExceptionDeviceHardwareRevision ExceptionDeviceID
    ExceptionDeviceOS ExceptionDeviceOSVersion ExceptionDeviceTerminalID ExceptionMessage ExceptionReasonCode
    ExceptionReasonDescription ExceptionStatus ExceptionStatusCode ExceptionType FinancialStatus LastActionDate
    LocalCurrencyCode NextActionDate OriginalTransactionSubmissionDate PartnerMerchantID PartnerMerchantName
    PaymentNumber ProcessorCaseID ProcessorResponseCode ReasonCode RetryCount SchemeOperator SDKVersion
    SettlementProcessor StorageMechanism`),
  Fee: words(`
    AcquirerInterchangeAmount AssessmentAmount AssessmentCurrency BillingCycle BillingType ClearedInterchangeLevel
    ConversionFee ConversionFeeCurrency DiscountAmount DiscountCurrency DiscountRate DowngradeReasonCode ExchangeRate
    GrossInterchangeAmount InterchangeAmount InterchangeCurrency InterchangeRate IssuerInterchangeAmount MerchantID
    OtherInterchangeAmount PerItemFeeAmount PerItemFeeCurrency PricedInterchangeLevel ReimbursementFee
    ReimbursementFeeDebitCreditIndicator ServiceFeeAmount ServiceFeeAmountCcy ServiceFeeFixedAmount
    ServiceFeeFixedAmountCcy ServiceFeeRate SettlementAmount SettlementCurrency SettlementTime SettlementTimeZone
    SourceDescriptor TotalFeeAmount TotalFeeCurrency TransactionIntegrityFee
    TransactionIntegrityFeeDebitCreditIndicator`),
  Funding: words(`
    CurrencyExchangeDescription CurrencyExchangeRate FeeAmount FeeCurrency FeeDescription FundingAccountSuffix
    FundingAmount FundingBankCode FundingBankCountry FundingBankName FundingCurrency FundingDate
    FundingIdentificationNumber FundingProcessorMessage FundingTransferMessage ProcessorResponseCode Status`),
  FundTransfer: words('BankCheckDigit IbanIndicator'),
  Invoice: words(`
    InvoiceNumber Status BillingGroupDescription NotProcessed OrganizationID PerformedServices Processed Total`),
  LineItems: words(`
    FulfillmentType InvoiceNumber MerchantProductSku Number ProductCode ProductName Quantity TaxAmount UnitPrice`),
  'Merchant-DefinedDataFields': words(`
    MerchantDefinedData1 MerchantDefinedData2 MerchantDefinedData3 MerchantDefinedData4`),
  OrderFields: words(`
    ConnectionMethod GiftWrap MerchantID MerchantReferenceNumber Price ProductCode ProductName ProductSKU Quantity
    ReasonCode ReplyCode ReplyFlag ReplyMessage RequestID ReturnAccepted ShippingMethod TransactionDate`),
  PayerAuth: words('MerchantID RequestID TransactionDate TransactionID TransactionType'),
  PaymentData: words(`
    PaymentRequestID Amount CurrencyCode AuthorizationCode PaymentProcessor AAV_CAVV ACHVerificationResult
    ACHVerificationResultMapped AcquirerMerchantID AcquirerMerchantNumber AuthIndicator AuthorizationType
    AuthReversalAmount AuthReversalResult AVSResult AVSResultMapped BalanceAmount BalanceCurrencyCode BinNumber
    CardCategory CardCategoryCode CardPresent CardVerificationMethod CVResult DCCIndicator ECI EMVRequestFallback
    EVEmail EVEmailRaw EventType EVName EVNameRaw EVPhoneNumber EVPhoneNumberRaw EVPostalCode EVPostalCodeRaw EVStreet
    EVStreetRaw ExchangeRate ExchangeRateDate GrandTotal IssuerResponseCode MandateReferenceNumber MerchantCategoryCode
    NetworkCode NetworkTransactionID NumberOfInstallments OriginalAmount OriginalCurrency PaymentProductCode PinType
    POSCatLevel POSEntryMode POSEnvironment POSTerminalCapability ProcessorMID ProcessorResponseCode
    ProcessorResponseID ProcessorTID ProcessorTransactionID RequestedAmount RequestedAmountCurrencyCode
    RoutingNetworkType SalesSlipNumber ShopName SolutionType StoreAndForwardIndicator SubMerchantCity
    SubMerchantCountry SubMerchantEmail SubMerchantID SubMerchantName SubMerchantPhone SubMerchantPostalCode
    SubMerchantState SubMerchantStreet SubsequentAuth SubsequentAuthFirst SubsequentAuthReason
    SubsequentAuthStoredCredential SubsequentAuthTransactionID TargetAmount TargetCurrency TerminalIDAlternate
    TotalTaxAmount TransactionRefNumber XID`),
  PaymentFields: words(`
    AccountSuffix AuthEVAddress1 AuthEVEmail AuthEVLastName AuthEVPhone AuthEVPostalCode AVSResultMapped CardBIN
    CardBINCountry CardIssuer CardScheme CardType CardVerificationResult ECommerceIndicator LocalCurrencyCode
    LocalOrderAmount OrderAmount OrderCurrency`),
  Profile: words('Name ProfileDecision ProfileMode RuleDecision RuleName'),
  Recipient: words(`
    Address City Country DOB FirstName LastName MiddleInitial PhoneNumber PostalCode RecipientBillingAmount
    RecipientBillingCurrency ReferenceNumber State`),
  Subscriptions: words(`
    SubscriptionID PlanID CustomerAccountID RecurringPaymentEventAmount RecurringPaymentAmount SubscriptionTitle
    SubscriptionStatus SubscriptionPaymentMethod RecurringStartDate RecurringNumberOfPayments RecurringFrequency
    RecurringApprovalRequired RecurringPaymentEventApprovedBy RecurringAutomaticRenew SetupFee SetupFeeCurrency
    SubscriptionType LastSubscriptionStatus NextScheduledDate EventRetryCount PaymentsSuccess PaymentSuccessAmount
    InstallmentSequence InstallmentTotalCount RequestID TransactionDate MerchantRefNo TransRefNo EcommerceIndicator
    BillToFirstName BillToLastName BillToAddress1 BillToAddress2 BillToCity BillToState BillToZip BillToCountry
    BillToCompanyName BillToEmail ConsumerPhone IPAddress ShipToFirstName ShipToLastName ShipToAddress1 ShipToAddress2
    ShipToCity ShipToState ShipToZip ShipToCountry ShipToCompanyName CardType CustomerCCExpiryMonth
    CustomerCCExpiryYear CustomerCCStartMonth CustomerCCStartYear CustomerCCIssueNo CustomerCCAccountSuffix
    CustomerCCSubTypeDescription CustomerCCRoutingNumber Applications PaymentProcessor CurrencyCode ReasonCode
    AuthRCode AuthCode AuthType AuthAVSResults AuthResponseCode AuthCardVerificationResult RCode RFlag RMsg
    RequestToken MerchantDefinedData1 MerchantDefinedData2 MerchantDefinedData3 MerchantDefinedData4 TaxAmount Comments
    MerchantID`),
} as const satisfies FieldGroups;
