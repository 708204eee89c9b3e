import { vi } from 'vitest';

/** The variables of a stage with messages, whose services have an endpoint. */
export function stubServices(endpoint: string): void {
  const variables = {
    AWS_ENDPOINT_URL_SESV2: endpoint,
    AWS_ENDPOINT_URL_PINPOINT_SMS_VOICE_V2: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    MESSAGES_FROM: 'messages@mail.example.com',
    MESSAGES_CONFIGURATION_SET: 'emails',
    MESSAGES_TEXT_ORIGIN: 'phone-1',
    MESSAGES_TEXT_CONFIGURATION_SET: 'texts',
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}

/** A stage with messages whose services and clock are simulated. */
export function simulateStage(): void {
  vi.stubEnv('MESSAGES_FROM', 'notify.example.com');
  vi.stubEnv('MESSAGES_TEXT_ORIGIN', '+12125550199');
  vi.stubEnv('BASE_URL', 'https://api.example.com');
  vi.useFakeTimers({ toFake: ['Date'] });
}

export function endSimulation(): void {
  vi.useRealTimers();
  vi.unstubAllEnvs();
}
