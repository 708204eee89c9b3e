/*
 * Runs in the browser, after Scalar's own script. The key stays in the memory of the tab; nothing leaves this origin.
 */
globalThis.Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  // Whichever of its names the deployment is called by: calls go to where the page is from.
  servers: [{ url: globalThis.location.origin, description: 'This deployment.' }],
  authentication: { preferredSecurityScheme: 'ApiKey' },
  operationTitleSource: 'path',
  defaultOpenAllTags: true,
  hideModels: true,
  hideClientButton: true,
  persistAuth: false,
  telemetry: false,
  withDefaultFonts: false,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
});
