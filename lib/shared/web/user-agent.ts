import packageFile from '../../../package.json' with { type: 'json' };

/** The name of our own requests: firewalls refuse those without one. */
export const USER_AGENT = `field-service-api/${packageFile.version}`;
