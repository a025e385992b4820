import { valueAt } from '../../core/members.ts';

/**
 * Document 1, "Iframe field mapping": the platform's name of each field and the iframe's. Both directions read this one table, so
 * nothing is lost on the way.
 */
// biome-ignore format: a table
export const iframeFields = [
  ['action',                                              'type'],
  ['authenticatedIdentities.data',                        'fidoResponse.fidoBlob'],
  ['authenticatedIdentities.id',                          'fidoResponse.identifier'],
  ['authenticatedIdentities.relyingPartyId',              'fidoResponse.rpID'],
  ['authenticationContext.endpoint',                      'authenticationContext.endpoint'],
  ['authenticationContext.id',                            'authenticationContext.identifier'],
  ['authenticationContext.payload',                       'authenticationContext.payload'],
  ['authenticationContext.platformType',                  'authenticationContext.platformType'],
  ['deviceInformation.httpAcceptContent',                 'browserData.browserHeader'],
  ['deviceInformation.httpBrowserColorDepth',             'browserData.browserColorDepth'],
  ['deviceInformation.httpBrowserJavaEnabled',            'browserData.browserJavaEnabled'],
  ['deviceInformation.httpBrowserJavaScriptEnabled',      'browserData.browserJavascriptEnabled'],
  ['deviceInformation.httpBrowserLanguage',               'browserData.browserLanguage'],
  ['deviceInformation.httpBrowserScreenHeight',           'browserData.browserScreenHeight'],
  ['deviceInformation.httpBrowserScreenWidth',            'browserData.browserScreenWidth'],
  ['deviceInformation.httpBrowserTimeDifference',         'browserData.browserTimeZone'],
  ['deviceInformation.ipAddress',                         'browserData.ipAddress'],
  ['deviceInformation.platformType',                      'platformType'],
  ['deviceInformation.userAgentBrowserValue',             'browserData.userAgent'],
  ['sessionInformation.secureToken',                      'sessionContext.secureToken'],
] as const satisfies readonly (readonly [platform: string, iframe: string])[];

type Fields = Readonly<Record<string, unknown>>;

/** The platform's fields under the iframe's names. Fields that the table doesn't name are left out. */
export const toIframe = (given: object): Fields => renamed(given, iframeFields);

/** The iframe's fields under the platform's names. */
export const fromIframe = (given: object): Fields =>
  renamed(
    { ...given, ...named(given) },
    iframeFields.map(([platform, iframe]) => [iframe, platform]),
  );

/** Released iframes name the passkey's result `assuranceData`; the document calls the same three members `fidoResponse`. */
const named = (given: object): Fields => {
  const { assuranceData, fidoResponse = assuranceData } = given as Fields;
  return fidoResponse === undefined ? {} : { fidoResponse };
};

function renamed(given: object, pairs: readonly (readonly [from: string, to: string])[]): Fields {
  const result: Record<string, unknown> = {};
  for (const [from, to] of pairs) {
    const value = valueAt(given, from.split('.'));
    if (value !== undefined) put(result, to.split('.'), value);
  }
  return result;
}

function put(at: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    at[name] = value;
    return;
  }
  at[name] ??= {};
  put(at[name] as Record<string, unknown>, rest, value); // no row's path is the beginning of another's
}
