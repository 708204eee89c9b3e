import packageFile from '../../../package.json' with { type: 'json' };

/** Identifies our own requests: firewalls refuse requests without it. */
export const USER_AGENT = `field-service-api/${packageFile.version}`;
