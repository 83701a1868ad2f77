module example.com/mustexhaust

go 1.26
