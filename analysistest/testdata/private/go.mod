module private

go 1.26
