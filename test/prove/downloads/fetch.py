"""Saves the file of a download by one of Python's libraries."""

import json
import os
import sys
import urllib.request

library, way, out = sys.argv[1:]
api = os.environ["BASE_URL"] + "/api/download/getdownload"
body = {"DownloadId": os.environ["DOWNLOAD_ID"]}
headers = {"X-Api-Key": os.environ["API_KEY"], "Content-Type": "application/json"}
# `led` follows the 303, `url` gets the address first.
if way == "led":
    headers["Accept"] = "text/csv"

if library == "httpx":
    import httpx

    answer = httpx.post(api, json=body, headers=headers, follow_redirects=True)
    content = answer.content if way == "led" else httpx.get(answer.json()["Url"]).content
elif library == "requests":
    import requests

    answer = requests.post(api, json=body, headers=headers)
    content = answer.content if way == "led" else requests.get(answer.json()["Url"]).content
else:
    # The address comes from a client that reads gzip, and is opened by one that does not.
    if way == "url":
        headers["Accept-Encoding"] = "gzip"
    request = urllib.request.Request(api, json.dumps(body).encode(), headers)
    answer = urllib.request.urlopen(request).read()
    content = answer if way == "led" else urllib.request.urlopen(json.loads(answer)["Url"]).read()

with open(out, "wb") as file:
    file.write(content)
