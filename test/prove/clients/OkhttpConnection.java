import org.openapitools.client.ApiClient;

final class Connection {
  static ApiClient open(String address, String key) {
    ApiClient client = new ApiClient().setBasePath(address);
    client.setApiKey(key);
    return client;
  }
}
