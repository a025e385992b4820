/** The form of a tenant's name, which is part of the names of files. */
export const tenantShape = /^[a-z0-9][a-z0-9_-]{0,40}$/;
