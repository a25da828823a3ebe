/** What is asked for again after a change of channels. */
export const channelReads = ['fetchCustomWebhooks', 'fetchSlackWebhooks', 'fetchDeliveries'] as const
