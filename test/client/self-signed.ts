/**
 * A certificate that nobody vouches for, with its key: what a stranger shows who answers in the place of the platform. Made for these
 * tests alone by `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -days 36500 -nodes -subj /CN=evil.example`.
 */
export const selfSigned = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBhTCCASugAwIBAgIUWxWrK3g6KpEg+cS4m4+uf4aui0swCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMZXZpbC5leGFtcGxlMCAXDTI2MTEyODE5MDAzMloYDzIxMjYx
MTA0MTkwMDMyWjAXMRUwEwYDVQQDDAxldmlsLmV4YW1wbGUwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAARpYmIyE6YHIFwhHUhCYMr4SgLk4IRn96UyA58n8z3GTV6s
hTj4OfF+gtZmvcsBN5QDTVs22/LHwoeB9NWuBWamo1MwUTAdBgNVHQ4EFgQUsa55
wDBEBPOj4LBB0bsnRKhL4JowHwYDVR0jBBgwFoAUsa55wDBEBPOj4LBB0bsnRKhL
4JowDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiB3nA41Qg6mqOCO
CbpTtptqjIcfb8cPfZMrialMl+KvoAIhAPkmrAYE9C7Iiyg3FGDD+ClLW8I6F418
9gItQ8LETUhb
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgSYBdKq9UVXM5hBCN
VKdj+oziSwpAqaJvuDsXpJ97akGhRANCAARpYmIyE6YHIFwhHUhCYMr4SgLk4IRn
96UyA58n8z3GTV6shTj4OfF+gtZmvcsBN5QDTVs22/LHwoeB9NWuBWam
-----END PRIVATE KEY-----`,
} as const;
