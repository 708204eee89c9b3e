import org.openapitools.client.ApiClient;

final class Connection {
  static ApiClient open(String address, String key) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(address);
    return client.setRequestInterceptor(request -> request.header("X-Api-Key", key));
  }
}
